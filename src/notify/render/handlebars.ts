/**
 * The Handlebars forms that templates of other products bring along, as Liquid: `{{{x}}}`, `{{! note }}`, and the blocks
 * `if`, `unless`, `eq` and `is_match` with `else`. Everything else stays as it is; Liquid then says what it can't read.
 */
export function handlebarsToLiquid(template: string): string {
  if (!handlebarsOnly.test(template)) return template;
  const open: string[] = [];
  return template.replace(tags, (tag, triple: string | undefined, inner: string | undefined) => {
    if (triple !== undefined) return `{{ ${pathOf(triple.trim()) ?? triple} }}`;
    return liquidTag((inner ?? '').trim(), open) ?? tag;
  });
}

const handlebarsOnly = /\{\{[#!{]|\.\[/;
const tags = /\{\{\{([^{}]*)\}\}\}|\{\{([^{}]*)\}\}/g;
const parameter = /"[^"]*"|'[^']*'|\S+/g;

/** `undefined`: the tag is no Handlebars, or one that is not taken. `open` are the blocks around it. */
function liquidTag(inner: string, open: string[]): string | undefined {
  if (inner.startsWith('!')) return '';
  if (inner.startsWith('#')) return openBlock(inner.slice(1), open);
  if (inner.startsWith('/')) return closeBlock(inner.slice(1).trim(), open);
  if (inner === 'else' && open.length > 0) return '{% else %}';
  const path = inner.includes('.[') ? pathOf(inner) : undefined;
  return path && `{{ ${path} }}`;
}

function openBlock(text: string, open: string[]): string | undefined {
  const [name = '', ...parameters] = text.match(parameter) ?? [];
  const condition = conditionOf(name, parameters);
  if (condition === undefined) return undefined;
  open.push(name);
  return name === 'unless' ? `{% unless ${condition} %}` : `{% if ${condition} %}`;
}

function closeBlock(name: string, open: string[]): string | undefined {
  if (open.at(-1) !== name) return undefined;
  open.pop();
  return name === 'unless' ? '{% endunless %}' : '{% endif %}';
}

function conditionOf(name: string, [first, second, ...more]: readonly string[]): string | undefined {
  if (first === undefined || more.length > 0) return undefined;
  const left = operandOf(first);
  if (name === 'if' || name === 'unless') return second === undefined ? left : undefined;
  const right = second === undefined ? undefined : operandOf(second);
  if (right === undefined) return undefined;
  // `is_match "key" "value"` looks the key up among the group's attributes.
  if (name === 'is_match') return same(isText(first) ? `attributes[${first}]` : left, right);
  return name === 'eq' ? same(left, right) : undefined;
}

/** Uses filters, since a comparison in Liquid would fail for a missing attribute instead of finding it different. */
function same(left: string | undefined, right: string): string | undefined {
  return left === undefined ? undefined : `${left} | default: "" | same: ${right}`;
}

function operandOf(text: string): string | undefined {
  return isText(text) || /^-?\d+(\.\d+)?$/.test(text) ? text : pathOf(text);
}

function isText(text: string): boolean {
  return /^(["']).*\1$/s.test(text);
}

/** `attributes.[k8s.pod.name]` is `attributes["k8s.pod.name"]`; `this.` means nothing here. */
function pathOf(text: string): string | undefined {
  const path = text.replace(/^this\./, '').replace(/\.\[([^\][\]"]+)\]/g, '["$1"]');
  return /^[A-Za-z_][\w-]*(\.[A-Za-z_][\w-]*|\["[^"]+"\])*$/.test(path) ? path : undefined;
}
