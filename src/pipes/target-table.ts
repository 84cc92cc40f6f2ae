/** A table that rows of a pipe go to, in the database of the pipe's service. */
export interface TargetTable {
  table: string;
  /** Made when it is not there. */
  isManaged: boolean;
  /** Columns in order; absent = those that the table has. */
  columns?: readonly TargetColumn[];
  /** Only of tables that are made. */
  engine?: TableEngine;
  partitionBy?: string;
  primaryKey?: string;
  sortingKey?: readonly string[];
  ttl?: string;
  /** Field of the source → column, where they differ; with any, only mapped fields are taken. */
  mappings: readonly { sourceField: string; destinationField: string }[];
  /** Columns that the table lacks are added, and a column may be nullable or not. */
  followsSource?: boolean;
}

export interface TargetColumn {
  name: string;
  type: string;
}

export interface TableEngine {
  /** MergeTree, ReplacingMergeTree, SummingMergeTree or Null. */
  type: string;
  /** Columns that are summed. */
  columnIds?: readonly string[];
  /** The row with the largest one replaces the others. */
  versionColumnId?: string;
  /** 1 in rows that say that a row is gone. */
  deletedColumnId?: string;
  /** `FINAL` shows rows that are gone as well. */
  showsDeleted?: boolean;
}
