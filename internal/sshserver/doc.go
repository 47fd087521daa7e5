// Package sshserver offers the chat to people over SSH. Each connection has a separate child process,
// which the kernel (Landlock) restricts to the files of its user. There is no shell, no forwarding and
// no file transfer. It needs Linux.
package sshserver
