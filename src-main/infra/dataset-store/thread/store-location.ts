/** Where one generation of a dataset is; what its threads are started with. */
export interface StoreLocation {
  dataset_id: string;
  dataFolder: string;
  /** The generation's. */
  folder: string;
  parquetEntryFile: string;
}
