import { isAllowedFunction, tableFunctionNames } from './allowed-functions.ts';

/** A line of `EXPLAIN AST`. */
interface TreeNode {
  kind: string;
  /** What follows the kind: a function's name, a table's. */
  name: string;
  children: TreeNode[];
}

/** What a statement may not do; `name` is the word of its text that does it. */
export interface SyntaxProblem {
  message: string;
  name?: string;
}

export interface SyntaxFindings {
  problems: readonly SyntaxProblem[];
  /** Without a database it is a table of the current one, or a query that the statement itself names. */
  tables: readonly NamedTable[];
}

export interface NamedTable {
  database?: string;
  table: string;
}

const ordinary = new Set([
  ...['SelectWithUnionQuery', 'SelectIntersectExceptQuery', 'SelectQuery', 'ExpressionList', 'Subquery', 'WithElement'],
  ...[
    'TablesInSelectQuery',
    'TablesInSelectQueryElement',
    'TableExpression',
    'TableJoin',
    'ArrayJoin',
    'TableIdentifier',
  ],
  ...[
    'Function',
    'Identifier',
    'Literal',
    'QueryParameter',
    'OrderByElement',
    'StorageOrderByElement',
    'FillModifier',
    'InterpolateElement',
  ],
  ...[
    'Asterisk',
    'QualifiedAsterisk',
    'ColumnsListMatcher',
    'QualifiedColumnsListMatcher',
    'ColumnsRegexpMatcher',
    'QualifiedColumnsRegexpMatcher',
    'ColumnsTransformerList',
    'ColumnsExceptTransformer',
    'ColumnsReplaceTransformer',
  ],
  ...[
    'ColumnsReplaceTransformer::Replacement',
    'WindowDefinition',
    'WindowListElement',
    'SampleRatio',
    'DataType',
    'NameTypePair',
    'TupleDataType',
    'EnumDataType',
  ],
  'Alias',
]);
const explanations: Readonly<Record<string, string>> = {
  Set: 'SETTINGS are not allowed: the limits of the program hold',
  ColumnsApplyTransformer: 'APPLY is not allowed; call the function with each column',
  Explain: 'EXPLAIN is not allowed',
};
const membership = /^(global)?(not)?(null)?in$/i;

/**
 * What the engine's parser found in a statement, before anything of it is resolved or run. `databases` is absent
 * where all may be read that the user of a connection can.
 */
export function examineSyntax(lines: readonly string[], databases: readonly string[] | undefined): SyntaxFindings {
  const problems: SyntaxProblem[] = [];
  const tables: NamedTable[] = [];
  const readTable = (name: string) => {
    const problem = databases && tableProblem(name, databases);
    const [table = '', database] = name.split('.').reverse();
    if (problem) problems.push(problem);
    else tables.push({ table, ...(database !== undefined && { database }) });
  };
  for (const { node, parent } of walk(readTree(lines), undefined)) {
    if (!ordinary.has(node.kind))
      problems.push({
        message: explanations[node.kind] ?? `this statement contains a part that is not allowed (${node.kind})`,
      });
    if (node.kind === 'Function') problems.push(...functionProblems(node.name, parent?.kind === 'TableExpression'));
    if (node.kind === 'TableIdentifier') readTable(node.name);
    const member = node.kind === 'Function' && membership.test(node.name) ? node.children[0]?.children[1] : undefined;
    if (member?.kind === 'Identifier') readTable(member.name);
  }
  return { problems, tables };
}

function functionProblems(name: string, isTable: boolean): SyntaxProblem[] {
  if (isTable) {
    if (tableFunctionNames.has(name.toLowerCase())) return [];
    return [
      {
        message: `the table function ${name} is not allowed; there are numbers, zeros, generateSeries and values`,
        name,
      },
    ];
  }
  return isAllowedFunction(name) ? [] : [{ message: `the function ${name} is not allowed`, name }];
}

function tableProblem(name: string, databases: readonly string[]): SyntaxProblem | undefined {
  const [database = '', ...rest] = name.split('.');
  if (rest.length === 0 || (rest.length === 1 && databases.includes(database))) return undefined;
  const message = `${name} can't be read here: tables are those of the database ${databases[0]}, and $__sourceTable is that of the source`;
  return { message, name: database };
}

function* walk(
  node: TreeNode,
  parent: TreeNode | undefined,
): Generator<{ node: TreeNode; parent: TreeNode | undefined }> {
  yield { node, parent };
  for (const child of node.children) yield* walk(child, node);
}

/** Depth by indentation. */
function readTree(lines: readonly string[]): TreeNode {
  const root: TreeNode = { kind: 'SelectWithUnionQuery', name: '', children: [] };
  const path: TreeNode[] = [root];
  for (const line of lines) {
    const text = line.trimStart();
    const depth = line.length - text.length + 1;
    const [kind = ''] = text.split(' ', 1);
    const rest = text.slice(kind.length + 1);
    const [name = ''] = rest.split(/ \((?:alias|children) /, 1);
    const node = { kind, name, children: [] };
    path.length = Math.min(path.length, depth);
    path.at(-1)?.children.push(node);
    path.push(node);
  }
  return root;
}
