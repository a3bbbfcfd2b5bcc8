/** In the environment of a test run: where the PostgreSQL server is that all files share, as a URL. */
export const sharedServerVariable = 'TEST_POSTGRES_URL';
