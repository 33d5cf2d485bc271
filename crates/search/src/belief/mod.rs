//! The set P of all states consistent with everything a player has observed.
