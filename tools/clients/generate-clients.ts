import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import openapiTypeScript, { astToString } from 'openapi-typescript';
import { openApiDocument } from './openapi-document.ts';
import { pythonRoutes, typeScriptRoutes } from './route-tables.ts';
import { routesOf } from './routes.ts';

/**
 * Implements `npm run generate:clients`: writes the tables of routes of the TypeScript and Python clients, which are committed, and the types
 * of the TypeScript client, which are not: they are long, and change with every schema. `npm run lint` and the build of the package
 * generate the types alone, with `--types`.
 */
const root = resolve(import.meta.dirname, '..', '..');
const generated = join(root, 'clients', 'typescript', 'generated');

const document = await openApiDocument();
if (!process.argv.includes('--types')) {
  const routes = routesOf(document);
  writeFileSync(join(root, 'clients', 'typescript', 'operations.ts'), typeScriptRoutes(routes));
  writeFileSync(join(root, 'clients', 'python', 'src', 'vitrine', 'operations.json'), pythonRoutes(routes));
}

const hash = createHash('sha256').update(JSON.stringify(document)).digest('hex');
const types = join(generated, 'schema.ts');
const hashLine = `// OpenAPI document ${hash}\n`;
if (!existsSync(types) || !readFileSync(types, 'utf8').startsWith(hashLine)) {
  mkdirSync(generated, { recursive: true });
  writeFileSync(types, hashLine + astToString(await openapiTypeScript(document)));
}
