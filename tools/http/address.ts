import { lookup as systemLookup } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";
import { ToolError } from "../../src/tool.ts";

/** An address of a host, as `dns.lookup` gives it. */
export interface HostAddress {
  readonly address: string;
  /** 4 or 6. */
  readonly family: number;
}

/** Finds the addresses of a host name. */
export type ResolveHost = (hostname: string) => Promise<readonly HostAddress[]>;

/** Says of the host of a URL, as `URL.hostname` gives it, whether a rule holds for it. */
export type HostRule = (hostname: string) => boolean;

/**
 * The rule for all hosts, none, or those listed: names and addresses, without a port.
 *
 * @throws TypeError for what is no host.
 */
export function toHostRule(allowed: boolean | readonly string[]): HostRule {
  if (typeof allowed === "boolean") return () => allowed;
  const hostnames = new Set(allowed.map(toHostname));
  return (hostname) => hostnames.has(hostname);
}

/** As the WHATWG parser writes it, so that `LOCALHOST`, `127.1` and `::1` mean what they mean in a URL. */
function toHostname(host: string): string {
  const literal = host.replace(/^\[(.*)\]$/, "$1");
  const isIpv6 = isIP(literal) === 6;
  const isHost = isIpv6 || /^[^\s:/\\?#@*[\]]+$/.test(host);
  const url = isHost ? URL.parse(`http://${isIpv6 ? `[${literal}]` : host}`) : null;
  if (url === null) {
    throw new TypeError(
      `${JSON.stringify(host)} is no host. Give a name or an address without a port, such as "localhost".`,
    );
  }
  return url.hostname;
}

/** The system's own resolver, `/etc/hosts` included. */
export const resolveBySystem: ResolveHost = (hostname) => systemLookup(hostname, { all: true });

const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * May an address be reached when only the public internet may? Anything with a range of its own in the IANA registries
 * is no such address: private, loopback, link-local, multicast, documentation, and every form of IPv6 that has an IPv4
 * address inside (an IPv4-mapped one is judged by that address). Text that is no address is none.
 *
 * @see https://www.iana.org/assignments/iana-ipv4-special-registry
 * @see https://www.iana.org/assignments/iana-ipv6-special-registry
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== "unicast") return false;
  return parsed.kind() === "ipv4" || parsed.match(GLOBAL_IPV6);
}

/** Refuses a host that is written as an address which must not be reached: such a host is never looked up. */
export function refuseAddress(hostname: string): void {
  const literal = hostname.replace(/^\[|\]$/g, "");
  if (isIP(literal) !== 0 && !isPublicAddress(literal)) throw refused(hostname);
}

/**
 * A lookup for `node:net` that gives public addresses only. It gives what the socket then connects to, so a name that
 * resolves differently a moment later (DNS rebinding) gains nothing. One address that is not public refuses the name,
 * unless it may be private.
 */
export function createGuardedLookup(
  resolveHost: ResolveHost,
  mayBePrivate: HostRule,
): LookupFunction {
  // Asynchronous, so that a resolver which throws breaks its request and not this program.
  const resolve = async (hostname: string) => resolveHost(hostname);
  return (hostname, { all = false }, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (first === undefined) {
          callback(toResolveError(hostname, "ENOTFOUND"), []);
        } else if (!mayBePrivate(hostname) && !addresses.every(isPublic)) {
          callback(refused(hostname), []);
        } else if (all) {
          callback(null, [...addresses]);
        } else {
          callback(null, first.address, first.family);
        }
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}

function isPublic({ address }: HostAddress): boolean {
  return isPublicAddress(address);
}

function toResolveError(hostname: string, code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${hostname} has no address.`), { code });
}

/** It does not tell the address: what a name means inside of this network is nobody's business. */
function refused(hostname: string): ToolError & NodeJS.ErrnoException {
  const error = new ToolError(
    `${JSON.stringify(hostname)} is at a private, local or reserved address, which this tool must not reach. Give a URL on the public internet.`,
    { executed: "no" },
  );
  // Assigned, so that it is an error of `node:net` as well.
  return Object.assign(error, { code: "address_refused" });
}
