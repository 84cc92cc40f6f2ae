// Fills in where this page was loaded from, and asks the program how its parts are.
for (const node of document.querySelectorAll('[data-host]')) node.textContent = location.hostname;
for (const node of document.querySelectorAll('[data-origin]')) node.textContent = location.origin;

async function showParts() {
  const list = document.getElementById('parts');
  try {
    const { parts } = await (await fetch('ready')).json();
    list.replaceChildren(...Object.entries(parts).map(([name, state]) => partLine(name, state)));
  } catch {
    list.replaceChildren(partLine('program', 'not reachable'));
  }
}

function partLine(name, state) {
  const line = document.createElement('li');
  line.className = state === 'ready' ? 'up' : 'down';
  line.textContent = `${name}: ${state}`;
  return line;
}

/** The interface document of this flavour: one of the two answers. */
async function showDocuments() {
  const paths = { 'api/v2/docs': 'api/v2/openapi.json', 'v1/openapi.json': 'v1/openapi.json' };
  for (const [page, document_] of Object.entries(paths)) {
    const answer = await fetch(document_, { method: 'HEAD' });
    if (!answer.ok) continue;
    const link = document.createElement('a');
    link.href = page;
    link.textContent = 'Read the interface description';
    document.getElementById('documents').append(link);
    return;
  }
}

showParts();
showDocuments();
setInterval(showParts, 5000);
