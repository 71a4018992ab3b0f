// Requests of the upstream that the host has not answered yet. Ids pass unchanged; only when a new
// connection reuses an id the host still works on does the host see another one.
import type { JsonRpcRequest, Received, RequestId } from "../json-rpc.ts";
import { replaceMember } from "../json-text.ts";
import type { Connection } from "./connection.ts";

interface Question {
  readonly connection: Connection;
  readonly upstreamId: RequestId;
  readonly hostId: RequestId;
}

export interface Asked {
  readonly size: number;
  /** The request as the host shall see it. */
  add(connection: Connection, received: Received<JsonRpcRequest>): Received<JsonRpcRequest>;
  /** Takes out the question that the host answers, or undefined when nobody waits for it. */
  take(hostId: RequestId): Question | undefined;
  /** The id under which the host knows an upstream's request. */
  hostIdOf(connection: Connection, upstreamId: RequestId): RequestId | undefined;
  /** The upstream takes a question back: the host's answer, should it come, is not passed on. */
  withdraw(hostId: RequestId): void;
  /** Forgets the questions of a connection that has ended; returns the host's ids of them. */
  dropAllOf(connection: Connection): readonly RequestId[];
}

export function createAsked(ownId: () => string): Asked {
  const questions = new Map<RequestId, Question>();
  // Ids the host was told to cancel but may still answer; not given out again.
  const withdrawn = new Set<RequestId>();

  function withdraw(hostId: RequestId): void {
    const key = hostId;
    if (questions.delete(key)) withdrawn.add(key);
  }

  return {
    get size() {
      return questions.size;
    },
    add(connection, received) {
      const upstreamId = received.message.id;
      const key = upstreamId;
      const isFree = !questions.has(key) && !withdrawn.has(key);
      const hostId = isFree ? upstreamId : ownId();
      questions.set(hostId, { connection, upstreamId, hostId });
      if (isFree) return received;
      return {
        message: { ...received.message, id: hostId },
        text: replaceMember(received.text, ["id"], JSON.stringify(hostId)),
      };
    },
    take(hostId) {
      const key = hostId;
      const question = questions.get(key);
      questions.delete(key);
      withdrawn.delete(key);
      return question;
    },
    hostIdOf(connection, upstreamId) {
      for (const question of questions.values()) {
        const isSame = question.upstreamId === upstreamId;
        if (isSame && question.connection === connection) return question.hostId;
      }
      return undefined;
    },
    withdraw,
    dropAllOf(connection) {
      const ids = [...questions.values()]
        .filter((question) => question.connection === connection)
        .map((question) => question.hostId);
      for (const id of ids) withdraw(id);
      return ids;
    },
  };
}
