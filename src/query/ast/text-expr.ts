/**
 * The tree of what a user wrote, the same for Lucene and SQL. Nodes are never changed after they are made; passes
 * return new trees. Only field nodes know the table: names first, then what `resolve-fields` found for them.
 */
export type TextExpr =
  | Everything
  | AllOf
  | AnyOf
  | Not
  | Words
  | Match
  | Compare
  | InList
  | Like
  | Regex
  | IsNull
  | Call
  | Arithmetic
  | Literal
  | Field;

/** Position of a node in the text: `[start, end)`, characters from 0. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Everything {
  readonly kind: 'everything';
}

export interface AllOf {
  readonly kind: 'allOf';
  readonly items: readonly TextExpr[];
}

export interface AnyOf {
  readonly kind: 'anyOf';
  readonly items: readonly TextExpr[];
}

export interface Not {
  readonly kind: 'not';
  readonly item: TextExpr;
}

/** Lucene text without a field: searched in the source's implicit column. */
export interface Words extends Span {
  readonly kind: 'words';
  readonly pattern: Pattern;
}

/** Lucene `field:test`. */
export interface Match extends Span {
  readonly kind: 'match';
  readonly field: Field;
  readonly test: MatchTest;
}

/** Literal pieces between unescaped `*`; one piece = no wildcard. Quoted text is always one piece. */
export interface Pattern {
  readonly pieces: readonly string[];
  readonly quoted: boolean;
}

export type MatchTest =
  | { readonly test: 'exists' }
  /** `grouped`: inside `field:( … )`, where wildcards are anchored and quotes mean "contains". */
  | { readonly test: 'pattern'; readonly pattern: Pattern; readonly grouped: boolean }
  | { readonly test: 'compare'; readonly operator: Order; readonly bound: Bound }
  | { readonly test: 'range'; readonly low?: RangeEnd; readonly high?: RangeEnd };

export type Order = '<' | '<=' | '>' | '>=';

export interface Bound extends Span {
  readonly text: string;
  /** Quoted bounds are text, also when they look like a number. */
  readonly quoted: boolean;
}

export interface RangeEnd {
  readonly bound: Bound;
  readonly inclusive: boolean;
}

export interface Compare extends Span {
  readonly kind: 'compare';
  readonly operator: '=' | '!=' | Order;
  readonly left: TextExpr;
  readonly right: TextExpr;
}

export interface InList extends Span {
  readonly kind: 'in';
  readonly item: TextExpr;
  readonly options: readonly TextExpr[];
}

export interface Like extends Span {
  readonly kind: 'like';
  readonly item: TextExpr;
  readonly pattern: string;
  readonly ignoreCase: boolean;
}

/** A regular expression, found anywhere in the item; in the source's implicit column where there is none. */
export interface Regex extends Span {
  readonly kind: 'regex';
  readonly item?: TextExpr;
  /** RE2, checked. */
  readonly regex: string;
}

export interface IsNull extends Span {
  readonly kind: 'isNull';
  readonly item: TextExpr;
}

export interface Call extends Span {
  readonly kind: 'call';
  /** As written; looked up in the allow-list without regard to case. */
  readonly name: string;
  /** Of an aggregate, before its arguments: `quantile(0.95)(Duration)`. */
  readonly parameters?: readonly TextExpr[];
  readonly args: readonly TextExpr[];
}

export interface Arithmetic extends Span {
  readonly kind: 'arithmetic';
  readonly operator: '+' | '-' | '*' | '/' | '%';
  readonly left: TextExpr;
  readonly right: TextExpr;
}

export interface Literal extends Span {
  readonly kind: 'literal';
  readonly type: 'text' | 'number' | 'bool' | 'null';
  readonly text: string;
}

export type Field = FieldName | ColumnField | AttributeField | JsonField;

/** `Column`, `Map.a.b` or `attribute.key` (dots in `name`), or `Map['key']`. */
export interface FieldName extends Span {
  readonly kind: 'name';
  readonly name: string;
  readonly key?: string;
}

export interface ColumnField extends Span {
  readonly kind: 'column';
  readonly column: string;
  /** The column that says the same in another way, for rows in which this one says nothing. */
  readonly orElseFrom?: string;
}

/** A key looked for in one or more map columns; the first that holds a non-empty value wins (decisions C6). */
export interface AttributeField extends Span {
  readonly kind: 'attribute';
  readonly key: string;
  readonly places: readonly AttributePlace[];
  /** A materialised column that holds exactly this attribute, or the number in it. */
  readonly textColumn?: string;
  readonly numberColumn?: string;
}

export interface AttributePlace {
  readonly map: string;
  /** A materialised column that holds exactly `map[key]`. */
  readonly promoted?: string;
  /** An indexed `Array(String)` column of `key=value` items of the map. */
  readonly items?: string;
  /** These are all items of the map and nothing else, by the expression that makes them. */
  readonly itemsAreComplete?: true;
}

/** A path into JSON stored in a text column. */
export interface JsonField extends Span {
  readonly kind: 'json';
  readonly column: string;
  readonly path: readonly string[];
}

export const everything: Everything = Object.freeze({ kind: 'everything' });

/** Joins conditions with AND; none = everything, one = itself. */
export function allOf(items: readonly TextExpr[]): TextExpr {
  const [first, ...more] = items;
  if (first === undefined) return everything;
  return more.length === 0 ? first : { kind: 'allOf', items };
}

/** Joins conditions with OR; one = itself. */
export function anyOf(items: readonly [TextExpr, ...TextExpr[]]): TextExpr {
  return items.length === 1 ? items[0] : { kind: 'anyOf', items };
}
