/** Marks the record file of a dataset as outdated: see `dataset_unsaved`. */
export const markUnsaved = (datasetId: string) => `
      UPDATE dataset SET revision = revision + 1 WHERE dataset_id = ${datasetId};
      INSERT OR IGNORE INTO dataset_unsaved VALUES (${datasetId});`;

/** Triggers for a table whose rows are part of a dataset's record file. */
export const markUnsavedOnChangesOf = (table: string) => `
    CREATE TRIGGER ${table}_inserted AFTER INSERT ON ${table} BEGIN ${markUnsaved('new.dataset_id')} END;
    CREATE TRIGGER ${table}_updated AFTER UPDATE ON ${table} BEGIN ${markUnsaved('new.dataset_id')} END;
    CREATE TRIGGER ${table}_deleted AFTER DELETE ON ${table} BEGIN ${markUnsaved('old.dataset_id')} END;`;
