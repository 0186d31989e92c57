"""What ./test runs: stages, each of units that are not run again while nothing they read has changed."""
