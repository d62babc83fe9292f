"""What calls are given: tables of values, secret keys, and the draws that are made for each graph."""
