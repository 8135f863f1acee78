/** A compute process that never gets as far as taking a job. */
process.exit(1);
