// The schema, read from the service itself and shown type by type.
const typeReference = 'kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name } } } }';
const introspection = `{ __schema { description types {
  kind name description
  fields { name description type { ${typeReference} } args { name description type { ${typeReference} } } }
  inputFields { name description type { ${typeReference} } }
  enumValues { name description }
  possibleTypes { name }
} } }`;

export async function showDocumentation({ send, find, place }) {
  let schema;
  try {
    const { text } = await send({ query: introspection });
    schema = JSON.parse(text).data.__schema;
  } catch {
    place.append(make('p', 'The schema cannot be read.'));
    return;
  }
  const types = new Map(schema.types.filter(({ name }) => !name.startsWith('__')).map((type) => [type.name, type]));
  const open = (name) => place.replaceChildren(...showType(types.get(name), types, open, overview));
  const overview = () => {
    place.replaceChildren(
      make('p', schema.description ?? ''),
      ...listOf([types.get('Query'), types.get('Mutation')].filter(Boolean), open),
      make('h2', 'Types'),
      ...listOf(
        [...types.values()].filter(({ name }) => !['Query', 'Mutation'].includes(name)),
        open,
      ),
    );
    place.scrollTop = 0;
  };
  find.addEventListener('input', () => {
    const wanted = find.value.trim().toLowerCase();
    if (!wanted) return overview();
    const holds = ({ name }) => name.toLowerCase().includes(wanted);
    const found = [...types.values()].filter((type) => holds(type) || membersOf(type).some(holds));
    return place.replaceChildren(make('h2', `${found.length} found`), ...listOf(found, open));
  });
  overview();
}

function showType(type, types, open, overview) {
  const back = link('All types', overview);
  const members = make('ul');
  for (const member of membersOf(type)) {
    const item = make('li');
    const code = make('code', member.name);
    if (member.args?.length) {
      code.append('(');
      for (const [index, argument] of member.args.entries()) {
        code.append(index === 0 ? '' : ', ', `${argument.name}: `, ...typeLink(argument.type, types, open));
      }
      code.append(')');
    }
    if (member.type) code.append(': ', ...typeLink(member.type, types, open));
    item.append(code, make('p', member.description ?? ''));
    members.append(item);
  }
  return [back, make('h2', type.name), make('p', type.description ?? ''), members];
}

function membersOf(type) {
  return type.fields ?? type.inputFields ?? type.enumValues ?? type.possibleTypes ?? [];
}

function typeLink(type, types, open) {
  if (type.kind === 'NON_NULL') return [...typeLink(type.ofType, types, open), '!'];
  if (type.kind === 'LIST') return ['[', ...typeLink(type.ofType, types, open), ']'];
  return [types.has(type.name) ? link(type.name, () => open(type.name)) : type.name];
}

function listOf(types, open) {
  const list = make('ul');
  for (const { name } of types) {
    const item = make('li');
    item.append(link(name, () => open(name)));
    list.append(item);
  }
  return [list];
}

function link(text, action) {
  const button = make('button', text);
  button.type = 'button';
  button.addEventListener('click', action);
  return button;
}

/** Text is always set as text: nothing that the service answers is ever read as HTML. */
function make(tag, text = '') {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}
