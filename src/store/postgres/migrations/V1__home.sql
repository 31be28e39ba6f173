-- A home. What one transaction of the program changes is one transaction here.

-- Documents, by the names that their files have in a home on disk.
CREATE TABLE documents (
    name text COLLATE "C" PRIMARY KEY,
    -- The folder that lists it: boards/malaka, users.
    folder text COLLATE "C" NOT NULL,
    -- SHA-256 of the text.
    version bytea NOT NULL,
    text text NOT NULL,
    changed timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX documents_of_folder ON documents (folder, name);

-- Mails that were executed; seconds since 1970, by the clock of the program, here and below.
CREATE TABLE receipts (
    id bytea NOT NULL,
    content bytea NOT NULL,
    at bigint NOT NULL,
    PRIMARY KEY (id, content)
);
CREATE INDEX receipts_by_age ON receipts (at);

-- Mails that were written to a mailbox on a day (2026-11-21).
CREATE TABLE sent (
    mailbox bytea NOT NULL,
    day text COLLATE "C" NOT NULL,
    letter bytea NOT NULL,
    PRIMARY KEY (mailbox, day, letter)
);
CREATE INDEX sent_by_day ON sent (day);

-- When a board has to be looked at; as number 0, when all of a game were.
CREATE TABLE looks (
    game text COLLATE "C" NOT NULL,
    number bigint NOT NULL,
    at bigint NOT NULL,
    PRIMARY KEY (game, number)
);

-- Lists of users that only grow.
CREATE TABLE registers (
    register text COLLATE "C" NOT NULL,
    userid text COLLATE "C" NOT NULL,
    PRIMARY KEY (register, userid)
);

-- The key of the home, as number 0, and those of dice that were made later.
CREATE TABLE keys (
    number bigint PRIMARY KEY,
    key bytea NOT NULL
);

-- Who works at the home. The number is the fencing number: none is given twice, and a worker whose
-- row is gone commits nothing.
CREATE TABLE workers (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- Until when it is believed to be alive, by the clock of the database.
    until timestamptz NOT NULL,
    -- How often it has committed.
    commits bigint NOT NULL DEFAULT 0,
    -- Which process that is, for who looks.
    who text NOT NULL
);

-- Mails that wait, in the order in which they came.
CREATE TABLE mails (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- Where it was taken from, so that it is taken once.
    origin text UNIQUE,
    mark text,
    came timestamptz NOT NULL DEFAULT now(),
    bytes bytea NOT NULL,
    -- How often it was begun, as far as is known.
    begun integer NOT NULL DEFAULT 0,
    worker bigint
);
CREATE INDEX mails_fresh ON mails (number) WHERE worker IS NULL AND begun = 0;
CREATE INDEX mails_begun ON mails (number) WHERE worker IS NULL AND begun > 0;
CREATE INDEX mails_of_worker ON mails (worker, number);

-- What a mail shares with others that must not overtake it.
CREATE TABLE strands (
    strand text COLLATE "C" NOT NULL,
    mail bigint NOT NULL REFERENCES mails ON DELETE CASCADE,
    PRIMARY KEY (strand, mail)
);
CREATE INDEX strands_of_mail ON strands (mail);

-- Mails that were put aside.
CREATE TABLE aside (
    name text COLLATE "C" PRIMARY KEY,
    at timestamptz NOT NULL DEFAULT now(),
    -- Whether it is no fault of ours.
    theirs boolean NOT NULL,
    why text NOT NULL,
    bytes bytea NOT NULL
);

-- Letters that wait to go out, or were given up.
CREATE TABLE letters (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL,
    sender text,
    recipient text NOT NULL,
    thread text,
    bytes bytea NOT NULL,
    at bigint NOT NULL,
    tries integer NOT NULL DEFAULT 0,
    not_before bigint NOT NULL DEFAULT 0,
    -- Why it was given up.
    why text,
    gone_aside timestamptz,
    worker bigint
);
CREATE INDEX letters_due ON letters (tries, not_before, number) WHERE why IS NULL;
CREATE INDEX letters_of_thread ON letters (recipient, thread) WHERE thread IS NOT NULL;
CREATE INDEX letters_of_worker ON letters (worker) WHERE worker IS NOT NULL;

-- What runs over the boards are at: `remind` with the number of the worker.
CREATE TABLE markers (
    name text PRIMARY KEY,
    text text NOT NULL
);

-- The last run of each job.
CREATE TABLE runs (
    job text PRIMARY KEY,
    run text NOT NULL
);

-- What happened.
CREATE TABLE log (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at timestamptz NOT NULL DEFAULT now(),
    line text NOT NULL
);
