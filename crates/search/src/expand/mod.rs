//! Expansion of the growing tree (paper, B.3.3): one- and two-sided GT-CFR.
