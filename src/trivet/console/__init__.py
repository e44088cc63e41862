"""What the terminal shows: tables of conclusions, live progress. Only this folder imports rich."""
