"""machine: what works here and what is missing, one probe a row (`passnet doctor`)."""
