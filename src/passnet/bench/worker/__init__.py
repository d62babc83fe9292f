"""The code that runs inside a worker, beside untrusted code. Of the bench it imports `wire` and `compare`."""
