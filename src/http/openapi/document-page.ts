import type { InterfaceDocument, OperationDocument } from './interface-document.ts';

/** The interface as a page that needs nothing from elsewhere: no script, no font, no network. */
export function documentPage(document: InterfaceDocument, documentPath: string): string {
  const { title, version } = document.info;
  const sections = document.tags.map(({ name }) => section(document, name)).join('');
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${escapeHtml(title)}</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
code,pre{font-family:ui-monospace,monospace;font-size:.9em}pre{background:#f4f4f5;padding:1rem;overflow:auto}
summary{cursor:pointer;padding:.3rem 0}</style>
<h1>${escapeHtml(title)} <small>${escapeHtml(version)}</small></h1>
<p>The same as a document: <a href="${escapeHtml(documentPath)}">${escapeHtml(documentPath)}</a></p>${sections}
<h2>Schemas</h2>${Object.entries(document.components.schemas).map(schemaBlock).join('')}</html>`;
}

function section(document: InterfaceDocument, tag: string): string {
  const blocks = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.tags.includes(tag))
      .map(([method, operation]) => operationBlock(method, path, operation)),
  );
  return `<h2>${escapeHtml(tag)}</h2>${blocks.join('')}`;
}

function operationBlock(method: string, path: string, operation: OperationDocument): string {
  const { summary, ...rest } = operation;
  const beta = operation['x-beta'] ? ' (beta)' : '';
  return `<details><summary><code>${method.toUpperCase()} ${escapeHtml(path)}</code> ${escapeHtml(summary)}${beta}</summary>
<pre>${escapeHtml(JSON.stringify(rest, null, 2))}</pre></details>`;
}

function schemaBlock([name, schema]: [string, object]): string {
  return `<details id="${escapeHtml(name)}"><summary><code>${escapeHtml(name)}</code></summary>
<pre>${escapeHtml(JSON.stringify(schema, null, 2))}</pre></details>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
