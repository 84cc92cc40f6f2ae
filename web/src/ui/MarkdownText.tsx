import type { MarkedToken, Token, Tokens } from 'marked';
import { Fragment, type ReactNode, useMemo } from 'react';
import { BoundedLexer } from './bounded-lexer.ts';
import { characterReferences, safeUrl } from './markdown-texts.ts';

/**
 * GitHub's Markdown as elements. Only the lexer of the library is used: its HTML is made of strings, while elements are
 * made of what is listed here, and the only attributes with an address of the author's are those of links and images.
 */
export function MarkdownText({ text }: { text: string }) {
  const elements = useMemo(() => elementsOf(text), [text]);
  return <div className="markdown">{elements}</div>;
}

function elementsOf(text: string): ReactNode {
  try {
    return nodes(new BoundedLexer().lex(text));
  } catch (error) {
    // Quotes and lists within each other, thousands of them, need a deeper stack than there is.
    if (error instanceof RangeError) return <pre>{text}</pre>;
    throw error;
  }
}

/** A tree without changes: places are its only keys. */
function nodes(tokens: readonly Token[] = []): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: the tokens of a text have no other identity
  return tokens.map((token, place) => <Fragment key={place}>{node(token)}</Fragment>);
}

function node(any: Token): ReactNode {
  // Other tokens come from extensions of the library, of which there are none.
  const token = any as MarkedToken;
  switch (token.type) {
    case 'paragraph':
      return <p>{nodes(token.tokens)}</p>;
    case 'heading':
      return heading(token);
    case 'blockquote':
      return <blockquote>{nodes(token.tokens)}</blockquote>;
    case 'list':
      return list(token);
    case 'list_item':
      return <li>{nodes(token.tokens)}</li>;
    case 'checkbox':
      return <input type="checkbox" checked={token.checked} disabled readOnly />;
    case 'table':
      return table(token);
    case 'code':
      return (
        <pre>
          <code>{token.text}</code>
        </pre>
      );
    case 'hr':
      return <hr />;
    case 'br':
      return <br />;
    case 'text':
      return token.tokens ? nodes(token.tokens) : characterReferences(token.text);
    case 'strong':
      return <strong>{nodes(token.tokens)}</strong>;
    case 'em':
      return <em>{nodes(token.tokens)}</em>;
    case 'del':
      return <del>{nodes(token.tokens)}</del>;
    case 'codespan':
      return <code>{token.text}</code>;
    case 'link':
      return link(token);
    case 'image':
      return image(token);
    case 'escape':
    case 'html':
      return token.text;
    case 'space':
    case 'def':
      return null;
  }
}

function heading({ depth, tokens }: Tokens.Heading): ReactNode {
  const Heading = (['h1', 'h2', 'h3', 'h4', 'h5'] as const)[depth - 1] ?? 'h6';
  return <Heading>{nodes(tokens)}</Heading>;
}

function list({ ordered, start, items }: Tokens.List): ReactNode {
  if (!ordered) return <ul>{nodes(items)}</ul>;
  return <ol start={start === '' ? undefined : start}>{nodes(items)}</ol>;
}

function table({ header, rows }: Tokens.Table): ReactNode {
  return (
    <table>
      <thead>
        <tr>{cells(header)}</tr>
      </thead>
      <tbody>
        {rows.map((row, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity
          <tr key={place}>{cells(row)}</tr>
        ))}
      </tbody>
    </table>
  );
}

function cells(row: readonly Tokens.TableCell[]): ReactNode {
  return row.map(({ header, align, tokens }, place) => {
    const Cell = header ? 'th' : 'td';
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: cells have no other identity
      <Cell key={place} style={align ? { textAlign: align } : undefined}>
        {nodes(tokens)}
      </Cell>
    );
  });
}

/** Text alone where the address leads to something else than a page or a mail. */
function link({ href, title, text, tokens, autolink }: Tokens.Link): ReactNode {
  const url = safeUrl(autolink ? href : characterReferences(href));
  // What was written as an address is shown as it was written.
  const shown = autolink ? text : nodes(tokens);
  if (url === undefined) return shown;
  return (
    <a href={url} title={title ? characterReferences(title) : undefined}>
      {shown}
    </a>
  );
}

function image({ href, title, text }: Tokens.Image): ReactNode {
  const url = safeUrl(characterReferences(href));
  const alt = characterReferences(text);
  if (url === undefined) return alt;
  return <img src={url} alt={alt} title={title ? characterReferences(title) : undefined} />;
}
