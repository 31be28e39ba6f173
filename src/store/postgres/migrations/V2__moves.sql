-- A home that comes from another place, or goes to one; no row in all others.
CREATE TABLE moves (
    -- There is one at most.
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    -- Which move it is.
    token text NOT NULL,
    -- `coming`, `going` or `gone`.
    state text NOT NULL,
    -- Where from, or where to, for who reads it.
    place text NOT NULL,
    -- How far it has come.
    position text NOT NULL DEFAULT ''
);

-- The log of a process is on its machine.
DROP TABLE log;
