import {
  type Document,
  type ErrorCode,
  isMap,
  isNode,
  isScalar,
  LineCounter,
  type ParsedNode,
  parseDocument,
} from 'yaml';
import { type Path, ProvisioningError } from './provisioning-problem.ts';

/** The file as plain values, with their line numbers. */
export interface ProvisioningDocument {
  fileName: string;
  value: unknown;
  /** Line, from 1, of the value at `path`, or of its nearest existing ancestor. */
  lineOf(path: Path): number;
}

/** Our own texts: the parser's messages quote the file, which may contain secrets. */
const slips: Partial<Record<ErrorCode, string>> = {
  BAD_ALIAS: 'an alias (*) has no anchor (&) before it; quote text that starts with *',
  BAD_DQ_ESCAPE: 'an unknown escape (\\) in double quotes',
  BAD_INDENT: 'the indentation does not match the surrounding lines',
  BAD_SCALAR_START: 'text that starts with this character must be quoted',
  BLOCK_AS_IMPLICIT_KEY:
    'a list or map starts on a line where it is not allowed; put text that contains ": " in quotes',
  DUPLICATE_KEY: 'a key appears twice',
  MISSING_CHAR: 'a character is missing, such as a closing quote or bracket, a comma or a colon',
  MULTILINE_IMPLICIT_KEY: 'a key spans several lines; perhaps a colon is missing',
  MULTIPLE_DOCS: 'the file must contain one document; --- starts another one',
  TAB_AS_INDENT: 'tabs are not allowed as indentation; use spaces',
  UNEXPECTED_TOKEN: 'there is something unexpected here',
};

/** Parses YAML, and so JSON as well. @throws {ProvisioningError} naming the line */
export function parseProvisioning(fileName: string, text: string): ProvisioningDocument {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const error = document.errors[0];
  if (error) {
    const { line } = lines.linePos(error.pos[0]);
    const reason = slips[error.code] ?? 'there is something here that YAML does not allow';
    throw new ProvisioningError(`The provisioning file ${fileName} is not valid YAML at line ${line}: ${reason}.`);
  }
  const lineOf = (path: Path): number => lines.linePos(offsetOf(document, path)).line;
  return { fileName, value: valuesOf(document, fileName), lineOf };
}

function valuesOf(document: Document.Parsed, fileName: string): unknown {
  try {
    return document.toJS() ?? {};
  } catch {
    throw new ProvisioningError(`The provisioning file ${fileName} has an alias without anchor, or too many aliases.`);
  }
}

function offsetOf(document: Document.Parsed<ParsedNode>, path: Path): number {
  for (let length = path.length; length > 0; length--) {
    const offset = offsetOfNode(document, path.slice(0, length));
    if (offset !== undefined) return offset;
  }
  return 0;
}

/** Offset of the key, or of the item of a list. */
function offsetOfNode(document: Document.Parsed<ParsedNode>, path: Path): number | undefined {
  const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  const pair = isMap(parent) ? parent.items.find(({ key }) => isScalar(key) && key.value === path.at(-1)) : undefined;
  const node = pair ? pair.key : document.getIn(path, true);
  return isNode(node) ? node.range?.[0] : undefined;
}
