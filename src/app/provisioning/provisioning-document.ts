import { type Document, isMap, isNode, isScalar, LineCounter, type ParsedNode, parseDocument } from 'yaml';
import { type Path, ProvisioningError } from './provisioning-problem.ts';

/** The file as plain values, together with the lines they stand on. */
export interface ProvisioningDocument {
  fileName: string;
  value: unknown;
  /** Line, from 1, of what stands at `path`, or of the nearest thing around it when nothing does. */
  lineOf(path: Path): number;
}

/** Parses YAML, and so JSON as well. @throws {ProvisioningError} naming the line */
export function parseProvisioning(fileName: string, text: string): ProvisioningDocument {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const error = document.errors[0];
  if (error) {
    const { line } = lines.linePos(error.pos[0]);
    throw new ProvisioningError(
      `The provisioning file ${fileName} is not valid YAML at line ${line}: ${error.message}`,
    );
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
