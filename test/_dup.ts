import { measureDuplicates } from './bench/duplicates.bench.ts';
console.log(JSON.stringify(await measureDuplicates('/work/shared/media', process.argv[2] as string), null, 1));
