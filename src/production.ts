// Imported before all others: the GraphQL library has checks for developers, which cost a fifth of the time of a query,
// and leaves them out when this says so at the moment it is loaded.
process.env.NODE_ENV ??= 'production';
