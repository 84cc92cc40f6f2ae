/** What the file system says to our own files, in ClickHouse's codes. */
const codesOfSystem: Readonly<Record<string, number>> = {
  ENOSPC: 243, // NOT_ENOUGH_SPACE
  EDQUOT: 243,
  EROFS: 242, // TABLE_IS_READ_ONLY
  EMFILE: 76, // CANNOT_OPEN_FILE
  ENFILE: 76,
  EIO: 75, // CANNOT_WRITE_TO_FILE_DESCRIPTOR
};

/** The engine rejected a statement; `code` is ClickHouse's. */
export class EngineError extends Error {
  readonly code: number;

  constructor(message: string, code: number) {
    super(message);
    this.name = 'EngineError';
    this.code = code;
  }

  /** What chDB throws carries the code in its text only, in some paths. */
  static from(thrown: unknown): EngineError {
    if (thrown instanceof EngineError) return thrown;
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    const systemCode = thrown instanceof Error && 'code' in thrown ? codesOfSystem[String(thrown.code)] : undefined;
    if (systemCode !== undefined) return new EngineError(message, systemCode);
    const match = /Code: (\d+)\. (?:DB::)?(?:[A-Za-z:]*Exception: )?/.exec(message);
    if (!match) return new EngineError(message, 1002);
    return new EngineError(message.slice(match.index + match[0].length), Number(match[1]));
  }

  /** As ClickHouse writes it into a response. */
  toResponseText(): string {
    return `Code: ${this.code}. DB::Exception: ${this.message}\n`;
  }
}

/** HTTP status that ClickHouse sends with an error code. */
export function httpStatusOf(code: number): number {
  switch (code) {
    case 60: // unknown table
    case 81: // unknown database
      return 404;
    case 164: // read only
    case 497: // access denied
    case 516: // authentication failed
      return 403;
    case 62: // syntax
    case 47: // unknown identifier
    case 46: // unknown function
    case 115: // unknown setting
    case 456: // parameter not set
    case 457: // bad parameter
      return 400;
    default:
      return 500;
  }
}
