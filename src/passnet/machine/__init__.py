"""machine: checks what works here and what is missing, one probe per row (`passnet doctor`)."""
