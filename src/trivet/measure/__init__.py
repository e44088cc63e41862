"""One generation of measurements: start-up, interleaved slices, memory; each slice judged by the noise guard."""
