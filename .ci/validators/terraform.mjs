// Checks Terraform's JSON against the AWS provider's schema from its CDK bindings: the attributes and
// blocks of a resource, their types, and which are required.
import { readFileSync } from 'node:fs';

const [library, ...files] = process.argv.slice(2);
const wrong = [];
const META = ['lifecycle', 'depends_on', 'count', 'provider', 'for_each'];

/** The attributes in an object literal `attrs = { … }` of the bindings. */
function attributes(code) {
  const entry = /^ {8,12}(\w+): \{\s+value: (.*),\s+isBlock: (\w+),\s+type: "(\w+)",\s+storageClassType: "(\w+)",/gm;
  const found = {};
  for (const [, name, value, isBlock, , storage] of code.matchAll(entry)) {
    const nested = value.match(/(\w+ToHclTerraform)[,)(]/g)?.map((it) => it.slice(0, -1));
    found[name] = { isBlock: isBlock === 'true', storage, nested: nested?.find((it) => !it.startsWith('cdktf')) };
  }
  return found;
}

const snake = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** What an interface of the bindings requires. */
function required(declarations, name) {
  const body = declarations.match(new RegExp(`interface ${name} [^{]*\\{([\\s\\S]*?)\\n\\}`))?.[1] ?? '';
  return [...body.matchAll(/readonly (\w+): /g)].map(([, property]) => snake(property));
}

function resource(kind) {
  const folder = kind.replace('aws_', '').replaceAll('_', '-');
  const code = readFileSync(`${library}/${folder}/index.js`, 'utf8');
  const declarations = readFileSync(`${library}/${folder}/index.d.ts`, 'utf8');
  const nested = {};
  for (const [, name, body] of code.matchAll(/^function (\w+ToHclTerraform)\(struct\) \{([\s\S]*?)^\}/gm)) {
    const type = name.replace('ToHclTerraform', '');
    nested[name] = {
      attributes: attributes(body),
      required: required(declarations, type[0].toUpperCase() + type.slice(1)),
    };
  }
  const own = code.match(/synthesizeHclAttributes\(\) \{([\s\S]*?)\n {4}\}/)?.[1] ?? '';
  const type = folder.split('-').map((it) => it[0].toUpperCase() + it.slice(1)).join('');
  return { nested, attributes: attributes(own), required: required(declarations, `${type}Config`) };
}

const fits = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  stringList: (value) => Array.isArray(value) && value.every((it) => typeof it === 'string'),
  stringMap: (value) => Object.values(value).every((it) => typeof it === 'string'),
};

function check(place, schema, value, of) {
  for (const name of of.required.filter((name) => !(name in value))) wrong.push(`${place}: \`${name}\` is missing`);
  for (const [name, inner] of Object.entries(value)) {
    const known = of.attributes[name];
    if (!known) {
      if (!META.includes(name)) wrong.push(`${place}: there is no \`${name}\``);
    } else if (known.isBlock) {
      const blocks = [inner].flat();
      blocks.forEach((block, i) => check(`${place}.${name}[${i}]`, schema, block, schema.nested[known.nested]));
    } else if (!(fits[known.storage] ?? (() => true))(inner)) {
      wrong.push(`${place}.${name}: expected ${known.storage}`);
    }
  }
}

const schemas = {};
for (const file of files) {
  const resources = JSON.parse(readFileSync(file, 'utf8')).resource;
  for (const [kind, all] of Object.entries(resources)) {
    schemas[kind] ??= resource(kind);
    if (!Object.keys(schemas[kind].attributes).length) wrong.push(`${file}: cannot read the schema of ${kind}`);
    for (const [name, value] of Object.entries(all)) {
      check(`${file}: ${kind}.${name}`, schemas[kind], value, schemas[kind]);
    }
  }
}
if (wrong.length) {
  console.error(wrong.slice(0, 30).join('\n'));
  process.exit(1);
}
