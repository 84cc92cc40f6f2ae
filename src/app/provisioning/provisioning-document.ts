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

/** The file as plain values, together with the lines they stand on. */
export interface ProvisioningDocument {
  fileName: string;
  value: unknown;
  /** Line, from 1, of what stands at `path`, or of the nearest thing around it when nothing does. */
  lineOf(path: Path): number;
}

/** In our own words: the parser's messages quote the file, and what stands there may be a secret. */
const slips: Partial<Record<ErrorCode, string>> = {
  BAD_ALIAS: 'an alias (*) has no anchor (&) before it; put text that begins with * in quotes',
  BAD_DQ_ESCAPE: 'an escape (\\) in double quotes is not known',
  BAD_INDENT: 'the indentation does not fit the lines around it',
  BAD_SCALAR_START: 'text that begins with this character must be put in quotes',
  BLOCK_AS_IMPLICIT_KEY: 'a list or map begins in a line where it can’t; a ": " inside text must be put in quotes',
  DUPLICATE_KEY: 'a key stands there twice',
  MISSING_CHAR: 'a character is missing, such as a closing quote or bracket, a comma or a colon',
  MULTILINE_IMPLICIT_KEY: 'a key goes over several lines; perhaps a colon is missing',
  MULTIPLE_DOCS: 'the file must have one document; --- begins another one',
  TAB_AS_INDENT: 'tabs can’t indent; use spaces',
  UNEXPECTED_TOKEN: 'something stands there that does not belong there',
};

/** Parses YAML, and so JSON as well. @throws {ProvisioningError} naming the line */
export function parseProvisioning(fileName: string, text: string): ProvisioningDocument {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const error = document.errors[0];
  if (error) {
    const { line } = lines.linePos(error.pos[0]);
    const reason = slips[error.code] ?? 'something stands there that YAML does not allow';
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

/** Where the key stands, or the item of a list. */
function offsetOfNode(document: Document.Parsed<ParsedNode>, path: Path): number | undefined {
  const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  const pair = isMap(parent) ? parent.items.find(({ key }) => isScalar(key) && key.value === path.at(-1)) : undefined;
  const node = pair ? pair.key : document.getIn(path, true);
  return isNode(node) ? node.range?.[0] : undefined;
}
