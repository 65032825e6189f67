// Prints how long the import of the package named by the argument takes in a fresh process.
const [, , specifier = ''] = process.argv;
const start = performance.now();
await import(specifier);
console.log(JSON.stringify({ milliseconds: performance.now() - start }));
