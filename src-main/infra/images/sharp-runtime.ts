import sharp from 'sharp';

// One image at a time per process and no operation cache: the pool of processes is the parallelism, and memory stays flat.
sharp.concurrency(1);
sharp.cache(false);

export { sharp };
