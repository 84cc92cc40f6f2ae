/** The table of records that did not fit, beside the pipe's table. */
export function errorTableName(table: string): string {
  return `${table}_pipe_errors`;
}
