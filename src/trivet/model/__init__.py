"""Domain types: frozen dataclasses, standard library only. No behaviour beyond what derives from their own fields."""
