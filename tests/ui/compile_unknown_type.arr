entry main: i64 = length []
