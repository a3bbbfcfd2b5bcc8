// Puts GraphiQL on the page. React, ReactDOM and GraphiQL are globals, from the scripts before this one.
import { exampleHeaders, exampleQuery } from './example.js';
import { createRequestStorage } from './storage.js';

const { React, ReactDOM, GraphiQL } = globalThis;
const place = document.getElementById('graphiql');

// The style element that comes with an open dialog takes its nonce from here.
globalThis.__webpack_nonce__ = document.querySelector('link[nonce]').nonce;

const fetcher = GraphiQL.createFetcher({ url: place.dataset.endpoint, enableIncrementalDelivery: false });
ReactDOM.createRoot(place).render(
  React.createElement(GraphiQL, {
    fetcher,
    defaultQuery: exampleQuery,
    defaultHeaders: exampleHeaders,
    defaultEditorToolsVisibility: 'headers',
    isHeadersEditorEnabled: true,
    shouldPersistHeaders: true,
    schemaDescription: true,
    inputValueDeprecation: true,
    storage: createRequestStorage(GraphiQL.createLocalStorage({ namespace: 'provisioner' })),
  }),
);
