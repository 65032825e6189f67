import { clientConcepts } from './concepts/client.mjs';
import { protocolConcepts } from './concepts/protocol.mjs';
import { sessionConcepts } from './concepts/session.mjs';
import { turnConcepts } from './concepts/turn.mjs';

/**
 * A file of the schema: the types which belong together, in the order a reader wants them, with a sentence
 * of our own on each, and on the fields whose name does not say enough.
 *
 * @typedef {object} Concept
 * @property {string} name the file's name
 * @property {string} page of the specification's site, without the version
 * @property {Readonly<Record<string, string>>} types
 * @property {Readonly<Record<string, string>>} fields by `Type.field`
 */

/** @type {readonly Concept[]} */
export const concepts = [...sessionConcepts, ...turnConcepts, ...clientConcepts, ...protocolConcepts];

/**
 * Each type has a concept and a sentence, each sentence a type; else the tables above are out of date.
 *
 * @param {import('./model.mjs').Model} model the one with the most types
 */
export function checkConcepts(model) {
  const assigned = concepts.flatMap((concept) => Object.keys(concept.types));
  const problems = [
    ...Object.keys(model)
      .filter((name) => !assigned.includes(name))
      .map((name) => `${name} belongs to no concept`),
    ...assigned.filter((name) => !(name in model)).map((name) => `${name} is not in the schema`),
    ...assigned
      .filter((name, at) => assigned.indexOf(name) !== at)
      .map((name) => `${name} belongs to two concepts`),
    ...concepts
      .flatMap((concept) => Object.keys(concept.fields).filter((path) => !hasField(model, path)))
      .map((path) => `${path} is not in the schema`),
  ];
  if (problems.length > 0) throw new Error(`scripts/generate/concepts:\n  ${problems.join('\n  ')}`);
}

function hasField(model, path) {
  const [type, field] = path.split('.');
  const fields = model[type]?.fields ?? [];
  return fields.some((each) => each.name === field);
}

/** Where the specification treats a concept. The unstable parts stand on draft pages. */
export function pageUrl(concept, unstable) {
  const path = concept.page.replace(/^protocol\//, unstable ? 'protocol/v1/draft/' : 'protocol/v1/');
  return `https://agentclientprotocol.com/${path}`;
}
