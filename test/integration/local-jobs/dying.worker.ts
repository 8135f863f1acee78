/** A compute process that exits before it accepts a job. */
process.exit(1);
