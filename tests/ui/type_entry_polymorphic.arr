entry identity 'a (x: a): a = x

entry guessed x = x
