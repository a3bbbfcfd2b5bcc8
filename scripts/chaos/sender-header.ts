/** With its process id, in each request that a replica sends. */
export const senderHeader = 'x-sent-by-process';
