import sharp from 'sharp';

// One image at a time per process and no operation cache: the pool of processes provides the parallelism, and memory use stays constant.
sharp.concurrency(1);
sharp.cache(false);

export { sharp };
