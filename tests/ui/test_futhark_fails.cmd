$ arrc test futhark_fails
