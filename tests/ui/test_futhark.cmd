$ arrc test futhark
