-- $ arrc build --python --package-version=latest FILE

