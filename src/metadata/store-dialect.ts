import type { ColumnDefinitionBuilder, Kysely, RawBuilder, SelectQueryBuilder } from 'kysely';
import type { MetadataTables } from './tables.ts';

/** Everything in which the two stores differ, apart from opening them. */
export interface StoreDialect {
  readonly name: 'embedded' | 'postgres';

  isUniqueViolation(error: unknown): boolean;

  /** A statement that changes nothing but is written to the disk: it fails where a real write would. */
  readonly probeWrite: RawBuilder<unknown>;

  /** Makes a column count upwards with each insert; it must be the primary key. */
  counting(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder;
  /** After rows with numbers were inserted, the column counts on behind the largest of them. */
  continueCounting(transaction: Kysely<MetadataTables>, table: string): Promise<void>;
  /** Type of `counting` columns and of times in ms. */
  readonly integerType: 'integer' | 'bigint';

  /**
   * For a select inside an `update … where id in (select …) returning`: rows that another evaluator is claiming at
   * this moment are passed over instead of waited for.
   */
  passingOverLocked<Tables, Table extends keyof Tables, Row>(
    select: SelectQueryBuilder<Tables, Table, Row>,
  ): SelectQueryBuilder<Tables, Table, Row>;

  /** For a select inside an `insert … select`: no other transaction changes these rows before this one ends. */
  locked<Tables, Table extends keyof Tables, Row>(
    select: SelectQueryBuilder<Tables, Table, Row>,
  ): SelectQueryBuilder<Tables, Table, Row>;

  /** The elements of a JSON array as rows of one column, `value`. */
  elementsOf(json: string): RawBuilder<unknown>;

  /**
   * Waits until no other transaction, of any process, holds `name`, and holds it until this transaction ends. For
   * rules that span tables, such as "a webhook in use stays": both sides take the same name.
   */
  lock(transaction: Kysely<MetadataTables>, name: string): Promise<void>;
}
