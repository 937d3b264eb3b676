# A bare server and the Internet around it, in namespaces: a name server (unbound, whose zone grows by what quickstart
# prints), a certificate authority (Pebble), and the server's addresses. Run as root in the root of the layer.
set -eu
cd /
ip link set lo up
for address in 192.0.2.10/32 10.0.0.53/32 2001:db8::10/128; do ip address add "$address" dev lo; done
install -m 0755 /srv/world/systemctl.py /usr/local/sbin/systemctl
mkdir -p /run/systemd/system
rm -f /etc/resolv.conf && echo 'nameserver 10.0.0.53' > /etc/resolv.conf
printf '127.0.0.1 localhost\n::1 localhost\n' > /etc/hosts

cat > /srv/world/example.org.zone <<'ZONE'
example.org. 300 IN SOA ns.example.org. root.example.org. 1 3600 600 86400 1
example.org. 300 IN NS ns.example.org.
ns.example.org. 300 IN A 10.0.0.53
ZONE
cat > /srv/world/v4.zone <<'ZONE'
2.0.192.in-addr.arpa. 300 IN SOA ns.example.org. root.example.org. 1 3600 600 86400 1
2.0.192.in-addr.arpa. 300 IN NS ns.example.org.
10.2.0.192.in-addr.arpa. 300 IN PTR mail.example.org.
ZONE
cat > /srv/world/v6.zone <<'ZONE'
8.b.d.0.1.0.0.2.ip6.arpa. 300 IN SOA ns.example.org. root.example.org. 1 3600 600 86400 1
8.b.d.0.1.0.0.2.ip6.arpa. 300 IN NS ns.example.org.
0.1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa. 300 IN PTR mail.example.org.
ZONE
cat > /srv/world/unbound.conf <<'CONF'
server:
  interface: 10.0.0.53
  access-control: 0.0.0.0/0 allow
  use-syslog: no
  username: ""
  chroot: ""
  directory: "/srv/world"
  pidfile: ""
  do-daemonize: no
  module-config: "iterator"
  cache-max-negative-ttl: 0
  local-zone: "2.0.192.in-addr.arpa." nodefault
  local-zone: "8.b.d.0.1.0.0.2.ip6.arpa." nodefault
remote-control:
  control-enable: yes
  control-interface: /srv/world/unbound.ctl
  control-use-cert: no
auth-zone:
  name: "example.org"
  zonefile: "/srv/world/example.org.zone"
  fallback-enabled: no
auth-zone:
  name: "2.0.192.in-addr.arpa"
  zonefile: "/srv/world/v4.zone"
auth-zone:
  name: "8.b.d.0.1.0.0.2.ip6.arpa"
  zonefile: "/srv/world/v6.zone"
CONF
unbound -c /srv/world/unbound.conf > /srv/world/unbound.log 2>&1 &
PEBBLE_VA_NOSLEEP=1 PEBBLE_WFE_NONCEREJECT=5 /srv/world/pebble -config /srv/world/pebble.json \
  -dnsserver 10.0.0.53:53 > /srv/world/pebble.log 2>&1 &
until curl --silent --fail --cacert /srv/world/ca.pem https://localhost:15000/roots/0 > /srv/world/root.pem; do
  sleep 0.1
done
chmod 0755 /srv /srv/world && chmod 0644 /srv/world/*.pem

# The operator at the DNS provider: publishes the zone once quickstart has printed it.
publish() {
  until [ -e /etc/mayfly/example.org.zone ]; do sleep 0.1; done
  cat /etc/mayfly/example.org.zone >> /srv/world/example.org.zone
  unbound-control -c /srv/world/unbound.conf auth_zone_reload example.org > /dev/null
}
begin() {
  mayfly quickstart example.org --yes --set MAYFLY_ACME_DIRECTORY=https://localhost:14000/dir \
    --set MAYFLY_ACME_CA_FILE=/srv/world/ca.pem --set NODE_EXTRA_CA_CERTS=/srv/world/root.pem "$@"
}
seconds() { cut -d ' ' -f 1 /proc/uptime; }
