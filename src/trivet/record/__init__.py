"""Decision records: written in the MADR form, and checked again when the evidence has changed."""
