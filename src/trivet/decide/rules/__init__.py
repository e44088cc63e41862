"""How evidence becomes effects: a module for each kind of rule."""
