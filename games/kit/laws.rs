//! What every game promises, tried on random games of all of them.
