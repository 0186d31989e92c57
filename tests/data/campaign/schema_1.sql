-- A campaign of two variants, one of them run, as the first version of the schema kept it.
CREATE TABLE plan (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE notes (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE variants (
  number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, op TEXT NOT NULL, setting TEXT NOT NULL,
  library TEXT NOT NULL, file TEXT NOT NULL, line INTEGER NOT NULL, col INTEGER NOT NULL,
  before TEXT NOT NULL, after TEXT NOT NULL, phase TEXT NOT NULL);
CREATE TABLE edits (
  variant INTEGER NOT NULL, number INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,
  text TEXT NOT NULL, PRIMARY KEY (variant, number)) WITHOUT ROWID;
CREATE TABLE runs (
  number INTEGER PRIMARY KEY, variant TEXT NOT NULL, repeat INTEGER NOT NULL,
  symptom TEXT NOT NULL, start TEXT NOT NULL, decision TEXT NOT NULL,
  exception TEXT, message TEXT, file TEXT, line INTEGER, function TEXT, statement TEXT,
  seconds REAL NOT NULL, cpu_seconds REAL NOT NULL, spent_seconds REAL NOT NULL,
  memory_kib INTEGER NOT NULL, checkpoints INTEGER NOT NULL, log BLOB NOT NULL,
  UNIQUE (variant, repeat));
CREATE TABLE metrics (
  run INTEGER NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL,
  PRIMARY KEY (run, name)) WITHOUT ROWID;
INSERT INTO plan VALUES ('file', '/old/campaign.toml'), ('repeats', '1'), ('executor', 'local'),
  ('workers', '0'), ('data_folder', ''), ('started', '2026-01-02T03:04:05Z'), ('finished', ''),
  ('machine', '1 × Test'), ('versions', '{}'), ('settings', '{}'),
  ('text', 'name       = "Tiny"
program    = "."
command    = ["python3", "train.py", "--seed", "{seed}"]
checkpoint = "train.py:epoch"
operators  = ["MU001"]

[[metrics]]
name    = "fit"
pattern = ''fitted ([-+.\w]+)''
range   = [0, 1]

[[metrics]]
name   = "loss"
json   = "metrics.json"
key    = "test.loss"
better = "lower"

[[phases]]
name    = "preprocessing"
regions = ["train.py:load"]

[[phases]]
name    = "learning"
regions = ["train.py:epoch"]

[[targets]]
files = ["train.py"]

[run]
clean_repeats = 2
');
INSERT INTO variants VALUES
  (0, 'MU001-00000000', 'MU001', '', '', 'train.py', 3, 1, 'a + b', 'a - b', 'loading'),
  (1, 'MU001-00000001', 'MU001', '', '', 'train.py', 4, 1, 'a + b', 'a - b', 'learning');
INSERT INTO edits VALUES (0, 0, 1, 2, '-'), (1, 0, 3, 4, '-');
INSERT INTO runs VALUES
  (1, '', 0, 'normal', 'cold', 'ran', NULL, NULL, NULL, NULL, NULL, NULL, 1, 1, 1, 9, 0, x''),
  (2, 'MU001-00000001', 0, 'degraded', 'cold', 'ran', NULL, NULL, NULL, NULL, NULL, NULL, 1, 1, 1, 9, 0, x'');
INSERT INTO metrics VALUES (2, 'fit', '0.5');
PRAGMA user_version = 1;
