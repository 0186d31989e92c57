'use strict';
// What the judge holds of an object that stays in the subject.
//
// A property of a handle is a path, which costs nothing until it is called, made with `new` or
// awaited: `await program.train(data)`, `await new program.Network(3)`, `await program.SAMPLES`.

const references = new WeakMap(); // handle or path → what it stands for

function isReference(value) {
  return references.has(value);
}

// How a message names a handle or a path.
function fieldsOf(reference) {
  const { number, names } = references.get(reference);
  return ['thing', number, names];
}

function reference(subject, number, names) {
  const traps = {
    get(_target, name) {
      if (typeof name !== 'string') return undefined;
      if (name === 'then') {
        if (names.length === 0) return undefined; // a handle is no promise
        return (resolve, reject) => subject.ask('get', made).then(resolve, reject);
      }
      return reference(subject, number, [...names, name]);
    },
    apply: (_target, _self, args) => subject.ask('call', number, names, args),
    construct: (_target, args) => subject.ask('make', number, names, args),
    set() {
      throw new TypeError('properties of the program are set by an observer');
    },
  };
  // biome-ignore lint/complexity/useArrowFunction: an arrow function cannot be constructed
  const made = new Proxy(function () {}, traps);
  references.set(made, { number, names });
  return made;
}

function handle(subject, number) {
  return reference(subject, number, []);
}

module.exports = { fieldsOf, handle, isReference };
