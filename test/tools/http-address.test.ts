import { describe, expect, it } from "vitest";
import {
  createGuardedLookup,
  type HostAddress,
  isPublicAddress,
  toHostRule,
} from "../../tools/http/address.ts";

describe("an address that may be reached", () => {
  it.each([
    "8.8.8.8",
    "1.1.1.1",
    "172.32.0.1",
    "2606:4700::1111",
    "2a00:1450:4001::200e",
    "::ffff:8.8.8.8",
  ])("is %s, which is on the public internet", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    ["127.0.0.1", "loopback"],
    ["127.255.255.254", "loopback"],
    ["0.0.0.0", "this host"],
    ["0.1.2.3", "this network"],
    ["10.0.0.1", "private"],
    ["172.16.0.1", "private"],
    ["172.31.255.255", "private"],
    ["192.168.1.1", "private"],
    ["100.64.0.1", "shared by carriers"],
    ["169.254.169.254", "link-local: where clouds keep credentials"],
    ["192.0.0.1", "protocol assignments"],
    ["192.31.196.1", "AS112"],
    ["192.52.193.1", "AMT"],
    ["192.88.99.1", "6to4 relays"],
    ["192.175.48.1", "AS112"],
    ["192.0.2.1", "documentation"],
    ["198.18.0.1", "benchmarking"],
    ["198.51.100.1", "documentation"],
    ["203.0.113.1", "documentation"],
    ["224.0.0.1", "multicast"],
    ["240.0.0.1", "reserved"],
    ["255.255.255.255", "broadcast"],
    ["::", "unspecified"],
    ["::1", "loopback"],
    ["fe80::1", "link-local"],
    ["fe80::1%eth0", "link-local with a zone"],
    ["fc00::1", "unique local"],
    ["fd12:3456::1", "unique local"],
    ["fec0::1", "site-local"],
    ["ff02::1", "multicast"],
    ["2001:db8::1", "documentation"],
    ["3fff::1", "documentation"],
    ["100::1", "discard only"],
    ["4000::1", "not allocated"],
    ["::ffff:127.0.0.1", "IPv4-mapped loopback"],
    ["::ffff:a9fe:a9fe", "IPv4-mapped link-local"],
    ["::127.0.0.1", "IPv4-compatible loopback"],
    ["::ffff:0:127.0.0.1", "IPv4-translated loopback"],
    ["64:ff9b::7f00:1", "NAT64 of loopback"],
    ["64:ff9b:1::a00:1", "local NAT64"],
    ["2002:7f00:1::", "6to4 of loopback"],
    ["2001::1", "Teredo"],
    ["2001:2::1", "benchmarking"],
    ["2001:20::1", "ORCHID"],
    ["2620:4f:8000::1", "AS112"],
    ["5f00::1", "segment routing"],
    ["localhost", "no address at all"],
    ["", "nothing"],
  ])("is not %s (%s)", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe("the lookup that guards a connection", () => {
  const publicV4 = { address: "8.8.8.8", family: 4 };
  const publicV6 = { address: "2606:4700::1111", family: 6 };
  const lookUp = (addresses: readonly HostAddress[], all: boolean, allowPrivate = false) =>
    new Promise<unknown>((resolve) => {
      const lookup = createGuardedLookup(
        async () => addresses,
        () => allowPrivate,
      );
      lookup("name.example", { all }, (error, address, family) => {
        resolve(error ?? (family === undefined ? address : { address, family }));
      });
    });

  it("gives the socket the very addresses that it has checked, all or the first", async () => {
    expect(await lookUp([publicV6, publicV4], true)).toEqual([publicV6, publicV4]);
    expect(await lookUp([publicV6, publicV4], false)).toEqual(publicV6);
  });

  it("refuses a name when one of its addresses must not be reached, wherever it stands", async () => {
    const loopback = { address: "127.0.0.1", family: 4 };
    for (const addresses of [[loopback], [publicV4, loopback], [loopback, publicV4]]) {
      expect(await lookUp(addresses, true)).toMatchObject({ code: "address_refused" });
      expect(await lookUp(addresses, false)).toMatchObject({ code: "address_refused" });
    }
    expect(await lookUp([loopback], true, true)).toEqual([loopback]);
  });

  it("passes on what a resolver throws, at once or later", async () => {
    const broken = (): never => {
      throw new Error("broken");
    };
    for (const resolveHost of [broken, async () => broken()]) {
      const lookup = createGuardedLookup(resolveHost, () => false);
      const failed = new Promise((resolve) => lookup("name.example", { all: true }, resolve));
      expect(await failed).toMatchObject({ message: "broken" });
    }
  });
});

describe("the hosts that may be private", () => {
  it("are all or none", () => {
    expect(toHostRule(true)("localhost")).toBe(true);
    expect(toHostRule(false)("localhost")).toBe(false);
    expect(toHostRule([])("localhost")).toBe(false);
  });

  it.each([
    ["localhost", "http://LOCALHOST:8080/"],
    ["Intranet.Example", "http://intranet.example/"],
    ["127.0.0.1", "http://0x7f.1/"],
    ["::1", "http://[0:0::1]/"],
    ["[::1]", "http://[::1]/"],
    ["b\u00fccher.example", "http://xn--bcher-kva.example/"],
  ])("are those listed: %j is the host of %s", (host, url) => {
    expect(toHostRule([host])(new URL(url).hostname)).toBe(true);
  });

  it("are no others: no hosts below, above or beside them, no other names of the same address", () => {
    const rule = toHostRule(["intranet.example", "127.0.0.1"]);
    for (const host of [
      "a.intranet.example",
      "example",
      "intranet.example.com",
      "xintranet.example",
      "localhost",
      "127.0.0.2",
      "[::ffff:7f00:1]",
      "",
    ]) {
      expect(rule(host)).toBe(false);
    }
  });

  it.each([
    "",
    "localhost:80",
    "http://localhost",
    "localhost/path",
    "user@localhost",
    "a b",
    "[::1",
    "*",
  ])("cannot be %j, which is no host", (host) => {
    // "*" would be a name like any other to the URL parser, but who writes it means all hosts.
    expect(() => toHostRule([host])).toThrow(TypeError);
  });
});
