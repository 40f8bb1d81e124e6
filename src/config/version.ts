/** Kept equal to package.json by a test. */
export const version = '0.1.0';
/** Where editors find the schema of the configuration, once SchemaStore has taken the entry in schema/. */
export const jsonSchemaId = 'https://www.schemastore.org/hosted-runners.json';
